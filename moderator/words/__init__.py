"""The words: events, refusals, questions, menus, stories and positions as text. Mails, the desk and programs share
them; nothing here knows mail, a database or a style sheet."""

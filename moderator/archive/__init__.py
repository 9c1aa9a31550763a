"""The archive: a static web site of games, each with a page that steps through it order by order.

The site needs no server and no network. A *volume* holds everything that the archive gets of one game (``volume.py``).
``pieces.py`` shows a position in parts; ``timeline.py`` keeps each part once, with the orders after which it is shown;
``pages.py`` makes the files of a volume; ``site.py`` writes the folder with all of them and the index.
"""

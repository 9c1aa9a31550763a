"""The configuration of Dovecot for tests: a Maildir for every address, and one password for all."""

from __future__ import annotations

from pathlib import Path

NOBODY = 65534

_CONFIG = """\
protocols = imap lmtp
base_dir = {folder}/run
log_path = {folder}/dovecot.log
listen = 127.0.0.1
ssl = yes
ssl_cert = <{folder}/server.pem
ssl_key = <{folder}/server.key
disable_plaintext_auth = no
auth_mechanisms = plain login
auth_username_format = %Lu
auth_failure_delay = 0
recipient_delimiter = +
mail_location = maildir:{folder}/mail/%u
mail_fsync = never
mail_max_userip_connections = 200
default_vsz_limit = 1 G
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={nobody} gid={nobody} home={folder}/mail/%u allow_all_users=yes
}}
protocol imap {{
  imap_capability = {capability}
}}
service imap-login {{
  service_count = 0
  inet_listener imap {{
    port = {imap}
  }}
  inet_listener imaps {{
    port = {imaps}
    ssl = yes
  }}
}}
service imap {{
  process_limit = 500
}}
service lmtp {{
  unix_listener {folder}/lmtp {{
    mode = 0666
  }}
}}
service auth {{
  unix_listener {folder}/sasl {{
    mode = 0666
  }}
}}
service anvil {{
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service stats {{
  unix_listener stats-writer {{
    mode = 0666
  }}
}}
"""


def write(folder: Path, password: str, imap: int, imaps: int, capability: str = "") -> Path:
    """Write the configuration into ``folder``; the file. ``capability`` replaces what the server says it can."""
    (folder / "mail").mkdir(exist_ok=True)
    file = folder / "dovecot.conf"
    text = _CONFIG.format(
        folder=folder, password=password, nobody=NOBODY, imap=imap, imaps=imaps, capability=capability
    )
    if not capability:
        text = text.replace("  imap_capability = \n", "")
    file.write_text(text)
    return file

"""The configuration of Postfix for tests: everything that it writes is in one folder."""

from __future__ import annotations

from pathlib import Path

_MAIN = """\
compatibility_level = 3.6
local_header_rewrite_clients =
queue_directory = {here}/queue
data_directory = {here}/data
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
mail_owner = postfix
setgid_group = postdrop
syslog_name = {name}
maillog_file = {log}
maillog_file_prefixes = {folder}
myhostname = mx.example.org
mydestination =
mynetworks = 192.0.2.1/32
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
alias_maps =
recipient_delimiter = +
virtual_mailbox_domains = {domains}
virtual_mailbox_maps = regexp:{here}/everyone
virtual_transport = lmtp:unix:{folder}/lmtp
relay_domains = returned.example
relay_transport = lmtp:unix:{folder}/lmtp
default_transport = error: no mail leaves this machine
smtpd_relay_restrictions = permit_sasl_authenticated, reject_unauth_destination
smtpd_recipient_restrictions =
smtpd_client_connection_count_limit = 0
smtpd_milters = unix:{folder}/filter
milter_default_action = tempfail
smtpd_sasl_type = dovecot
smtpd_sasl_path = {folder}/sasl
smtpd_sasl_auth_enable = no
smtpd_tls_security_level = may
smtpd_tls_cert_file = {folder}/server.pem
smtpd_tls_key_file = {folder}/server.key
smtpd_tls_loglevel = 0
smtp_tls_security_level = none
message_size_limit = 60000000
virtual_mailbox_limit = 0
mailbox_size_limit = 0
in_flow_delay = 0
smtpd_error_sleep_time = 0
minimal_backoff_time = 2s
queue_run_delay = 2s
"""

_EVERYONE = """\
if !/^nobody/
/@({domains})$/ OK
endif
"""

_SERVICES = """\
127.0.0.1:{smtp} inet n - n - - smtpd
127.0.0.1:{submission} inet n - n - - smtpd
  -o smtpd_sasl_auth_enable=yes
  -o smtpd_relay_restrictions=permit_sasl_authenticated,reject
127.0.0.1:{submissions} inet n - n - - smtpd
  -o smtpd_tls_wrappermode=yes
  -o smtpd_sasl_auth_enable=yes
  -o smtpd_relay_restrictions=permit_sasl_authenticated,reject
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
pickup unix n - n 60 1 pickup
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
proxywrite unix - - n - 1 proxymap
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
"""


def write(folder: Path, domains: tuple[str, ...], smtp: int, submission: int, submissions: int) -> Path:
    """Write the configuration into ``folder``/postfix; that folder. Ports: mail from outside, and from people who log
    in, without and with TLS from the start."""
    here = folder / "postfix"
    for name in ("queue", "data"):
        (here / name).mkdir(parents=True, exist_ok=True)
    listed = " ".join(domains)
    main = _MAIN.format(here=here, folder=folder, name=folder.name, log=folder / "postfix.log", domains=listed)
    (here / "main.cf").write_text(main)
    (here / "master.cf").write_text(_SERVICES.format(smtp=smtp, submission=submission, submissions=submissions))
    (here / "everyone").write_text(_EVERYONE.format(domains="|".join(d.replace(".", r"\.") for d in domains)))
    return here

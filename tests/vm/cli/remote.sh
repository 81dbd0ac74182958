#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# pmctrack --remote: ssh receives the host, and a command line that the other side's shell takes as it
# was meant; output and exit status come back. A script stands for ssh: it runs the command line here.

. "${0%/*}/../lib/cli.sh"

mkdir -p /tmp/remote && cd /tmp/remote || exit 1
cat >ssh <<'END'
#!/bin/sh
printf '%s\n' "$1" "$2" "$3" >/tmp/remote/called
shift 3
exec sh -c "$*"
END
chmod +x ssh
PMCTRACK_SSH=/tmp/remote/ssh
export PMCTRACK_SSH

status 7 pmctrack --remote user@there -A -c instr:u /tests/programs/known_loop
has err "^instr"
[ "$(tr '\n' ' ' <called)" = "-T -- user@there " ] || wrong "ssh was called with $(cat called)"
status 0 pmctrack --remote=there stat -e instr:u sh -c "echo '\$x' \"a  b\""
# shellcheck disable=SC2016 # as it is
[ "$(cat out)" = '$x a  b' ] || wrong "words: $(cat out)"
[ "$(tr '\n' ' ' <called)" = "-T -- there " ] || wrong "ssh was called with $(cat called)"
status 0 pmctrack --remote there top -b -n 1 -d 0.2
has out "^pmctrack top"
# On a terminal, the other side has one, too.
/tests/programs/terminal 80x24 pmctrack --remote there top -n 1 -d 0.2 </dev/null >shown || wrong "top: $?"
[ "$(head -n 1 called)" = -t ] || wrong "ssh was called with $(cat called)"

refused "takes a host, as user@host, not '-oProxyCommand=x'" pmctrack --remote -oProxyCommand=x true
refused "not ''" pmctrack --remote= true
refused "requires an argument" pmctrack --remote
refused "what to do there" pmctrack --remote there
PMCTRACK_SSH=/no/such/ssh
refused "cannot run /no/such/ssh" pmctrack --remote there true
exit $fail

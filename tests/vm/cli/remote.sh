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

# A terminal there has one output, so there is none if errors go elsewhere; but top needs one.
/tests/programs/terminal 80x24 sh -c 'pmctrack --remote there -A -c instr:u /tests/programs/known_loop 2>err' \
	</dev/null >shown
[ "$(head -n 1 called)" = -T ] || wrong "2>err: ssh was called with $(cat called)"
has err "^instr"
/tests/programs/terminal 80x24 sh -c 'pmctrack --remote there -A -c instr:u /tests/programs/known_loop' </dev/null >shown
[ "$(head -n 1 called)" = -t ] || wrong "ssh was called with $(cat called)"
/tests/programs/terminal 80x24 sh -c 'pmctrack --remote there top -n 1 -d 0.2 2>err' </dev/null >shown || wrong "top: $?"
[ "$(head -n 1 called)" = -t ] || wrong "top 2>err: ssh was called with $(cat called)"

# ssh forwards the port of a page, and has a terminal there.
cat >ssh <<'END'
#!/bin/sh
printf '%s\n' "$@" >/tmp/remote/called
END
status 0 pmctrack --remote there web --port=8123 -T 1 ./app
[ "$(tr '\n' ' ' <called)" = "-tt -o ExitOnForwardFailure=yes -L 127.0.0.1:8123:127.0.0.1:8123 -- there pmctrack 'web' '--port=8123' '-T' '1' './app' " ] ||
	wrong "web: ssh was called with $(cat called)"
status 0 pmctrack --remote there web --keep=1 --port=8123 --port=8124 ./app --port=8125
grep -qx 127.0.0.1:8124:127.0.0.1:8124 called || wrong "web: ssh was called with $(cat called)"
status 0 pmctrack --remote there web ./app
port=$(sed -n "s/.*'--port=\([0-9]*\)'.*/\1/p" called)
grep -qx "127.0.0.1:$port:127.0.0.1:$port" called || wrong "web: ssh was called with $(cat called)"
refused "takes a number from 1 to 65535" pmctrack --remote there web --port=0 ./app
# Test machines do not have it.
refused "web: pmctrack-web is not installed" pmctrack web ./app
refused "plot: pmctrack-plot is not installed" pmctrack plot run.json

refused "takes a host, as user@host, not '-oProxyCommand=x'" pmctrack --remote -oProxyCommand=x true
refused "not ''" pmctrack --remote= true
refused "requires an argument" pmctrack --remote
refused "what to do there" pmctrack --remote there
PMCTRACK_SSH=/no/such/ssh
refused "cannot run /no/such/ssh" pmctrack --remote there true
exit $fail

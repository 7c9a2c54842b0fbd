#!/bin/sh
# check.sh ADDRESS: one line on what a service says of itself, with the exit codes of Nagios, Icinga and Monit:
# 0 ok, 1 degraded, 2 down, 3 nothing is known. It needs curl.
#
#   */5 * * * * check.sh https://explorer.example.org || mail …
address=${1:?"give the address of the service: check.sh https://explorer.example.org"}
# Without --fail, which drops the body of a 503.
if ! body=$(curl --silent --show-error --max-time 10 "${address%/}/health" 2>&1); then
  echo "silent: $body"
  exit 3
fi
case $body in
  '{"status":"ok"'*) echo "ok: $body" ;;
  '{"status":"degraded"'*) echo "degraded: $body"; exit 1 ;;
  '{"status":"down"'*) echo "down: $body"; exit 2 ;;
  *) echo "silent: not the answer of GET /health"; exit 3 ;;
esac

#!/bin/sh
# Makes deploy/compose/secrets/ for compose.yaml, once: passwords, addresses with them, keys, and the broker's users.
set -eu
cd "$(dirname "$0")"
if [ -e secrets ]; then
    echo "secrets/ is there; what uses it would be locked out by another one. Remove it first if that is meant." >&2
    exit 1
fi
umask 077
fresh=$(mktemp -d ./secrets.XXXXXX)
trap 'rm -rf "$fresh"' EXIT
secret() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
put() { cat > "$fresh/$1"; }

database=$(secret) api=$(secret) coordinator=$(secret) worker=$(secret) store=$(secret)
printf '%s' "$database" | put database-password
echo "postgresql+psycopg://arena:$database@database/arena" | put database-url
echo "redis://api:$api@broker:6379/0" | put broker-api-url
echo "redis://coordinator:$coordinator@broker:6379/0" | put broker-coordinator-url
echo "redis://worker:$worker@broker:6379/0" | put broker-worker-url
sed -e "s/>change-api /#$(printf %s "$api" | sha256sum | cut -d' ' -f1) /" \
    -e "s/>change-coordinator /#$(printf %s "$coordinator" | sha256sum | cut -d' ' -f1) /" \
    -e "s/>change-worker /#$(printf %s "$worker" | sha256sum | cut -d' ' -f1) /" ../redis/users.acl | put users-acl
od -An -N32 -tx1 /dev/urandom | tr -d ' \n' | put signing-key
printf 'ROOT_ACCESS_KEY=arena\nROOT_SECRET_KEY=%s\n' "$store" | put store-root.env
put store.env << END
AWS_ACCESS_KEY_ID=arena
AWS_SECRET_ACCESS_KEY=$store
AWS_REGION=us-east-1
AWS_ENDPOINT_URL=http://store:7070
AWS_ALLOW_HTTP=true
END
# The root's account, too, until another one is written there: docs/deployment.md
cp "$fresh/store.env" "$fresh/worker-store.env"
echo "# What hosts outside of these containers are told when they join: docs/deployment.md" | put worker-env
printf '' | put metrics-token
secret | put grafana-password
chmod 0444 "$fresh"/*
chmod 0400 "$fresh"/*.env
chmod 0600 "$fresh/worker-env" "$fresh/metrics-token"
chmod a+r "$fresh/worker-env" "$fresh/metrics-token"
mv "$fresh" secrets
trap - EXIT
echo "deploy/compose/secrets/ is made: keep a copy where you keep passwords."

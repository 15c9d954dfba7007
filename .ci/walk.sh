#!/usr/bin/env bash
# Follows the README on a fresh clone, like a new user: both commands, then each example. The last line has
# the numbers of passed and failed checks.
set -uo pipefail
repository=$(cd "$(dirname "$0")/.." && pwd)
workspace=$(mktemp -d)
clone=$workspace/locmetrics
server=
passed=0
failed=0

check() { # name, exit code
  if [ "$2" -eq 0 ]; then passed=$((passed + 1)); echo "ok    $1"
  else failed=$((failed + 1)); echo "FAIL  $1"; fi
}
finish() {
  [ -z "$server" ] || kill -TERM "$server" 2>/dev/null
  rm -rf "$workspace"
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ]
}
trap 'finish; exit $?' EXIT

git clone --quiet "$repository" "$clone"; check "git clone" $?
cd "$clone" || exit 1

readme_command() { grep -m1 -E "^npm ci && npm $1\$" README.md; }
[ -n "$(readme_command start)" ] && [ -n "$(readme_command test)" ]; check "the README has both commands" $?

# Port 0 picks free ports, so that no other program on the machine is in conflict. All else is the default.
export LOCMETRICS_HTTP=127.0.0.1:0 LOCMETRICS_GRPC=127.0.0.1:0
npm ci; check "npm ci" $?
start() { # Starts the server and waits for its curl line; prints the seconds it took.
  local began=$SECONDS
  rm -f "$workspace/start.log"
  setsid npm start > "$workspace/start.log" 2> "$workspace/start.err" &
  for _ in $(seq 1 3000); do
    grep -q '^Try  .*curl -s http' "$workspace/start.log" && break
    sleep 0.1
  done
  echo "started in about $((SECONDS - began)) s"
  grep -q '^Try  .*curl -s http' "$workspace/start.log"
}
# The oldest one: a process that the server has just forked has its command line until it runs another program.
find_server() { server=$(pgrep -f "bin/locmetrics.js demo" | while read -r pid; do
  [ "$(readlink "/proc/$pid/cwd")" = "$clone" ] && [ "$(basename "$(readlink "/proc/$pid/exe")")" = node ] && echo "$pid"; done |
  paste -sd, | xargs -r ps -o pid= --sort=start_time -p | head -1 | tr -d ' '); }

start; check "npm start becomes ready" $?
find_server
[ "$(stat -c %a .locmetrics/demo.env)" = 600 ]; check "demo.env is readable by its owner alone" $?
[ "$(grep -cE '^(Explorer|Token|Try|Next) ' "$workspace/start.log")" = 4 ]; check "npm start prints its four lines" $?
line=$(sed -nE 's/^Try +//p' "$workspace/start.log")
[ "$(bash -c "$line" | grep -o '"name":' | wc -l)" = 3 ]; check "the printed request works when pasted" $?

# Each block of the README marked sh runs in its own shell, in order, and then those of the pages that go on with the
# sample. The two commands ran above. What a block installs globally goes into the workspace; the installed command runs
# on the Node of the clone.
installed=$workspace/installed
mkdir -p "$installed/bin"
ln -s "$clone/node_modules/.bin/node" "$installed/bin/node"
for page in README.md docs/how-to/ask-for-data.md docs/how-to/install.md; do
  blocks=$workspace/blocks/$(basename "$page" .md)
  npx --no-install node .ci/readme-blocks.js "$page" "$blocks"
  for block in "$blocks"/*.sh; do
    if bash -c 'set -euo pipefail; curl() { command curl --fail-with-body "$@"; }
      [ ! -f .locmetrics/demo.env ] || source .locmetrics/demo.env
      export npm_config_prefix=$2 PATH=$2/bin:$PATH
      source "$1"' _ "$block" "$installed" > "$workspace/block.out" 2>&1; then status=0; else status=1; cat "$block" "$workspace/block.out"; fi
    check "$page, block $(basename "$block" .sh): $(head -c 70 "$block" | head -1)" $status
  done
done

# The installed command, in a folder that has nothing to do with the clone.
elsewhere() (
  mkdir "$workspace/elsewhere" && cd "$workspace/elsewhere" && cp -r "$clone/my-data/my_cafes" . || return 1
  PATH=$installed/bin:$PATH
  [ "$(command -v locmetrics)" = "$installed/bin/locmetrics" ] && locmetrics publish my_cafes/locmetrics.yaml &&
    locmetrics org create Elsewhere && [ -d .locmetrics ] && [ "$(locmetrics versions --json | grep -c '"my_cafes.places"')" = 1 ]
)
elsewhere > "$workspace/elsewhere.out" 2>&1 || { cat "$workspace/elsewhere.out"; false; }; check "the installed command publishes in another folder" $?

# Without the clone: the package that a page packed, installed in an empty folder of a machine that has Node alone.
npx --no-install node packages/locmetrics/scripts/try-package.ts locmetrics-*.tgz; check "the packed package runs its demo in an empty folder" $?

# One shell runs all blocks of the tutorial. The server starts before the first block that has its address, on a free port. A
# test runs the pages that continue from the tutorial.
npx --no-install node .ci/readme-blocks.js docs/tutorial/a-customers-chart.md "$workspace/tutorial"
cat > "$workspace/tutorial.sh" <<'END'
set -euo pipefail
serve() {
  ../../node_modules/.bin/node ../../packages/locmetrics/bin/locmetrics.js serve 2> serve.err &
  trap "kill $!" EXIT
  for _ in $(seq 1 1000); do ! grep -q '"http://' serve.err || break; sleep 0.1; done
  address=$(sed -nE 's|.*"http://([^"]+)".*|\1|p' serve.err)
}
for block in "$1"/*.sh; do
  if grep -q '127.0.0.1:8080' "$block" && [ -z "${address:-}" ]; then serve; fi
  sed "s|127.0.0.1:8080|${address:-}|; s|^cd my-data|cd ../../my-data|" "$block" > "$block.run"
  source "$block.run"
done
END
bash "$workspace/tutorial.sh" "$workspace/tutorial" > "$workspace/tutorial.out" 2>&1 &&
  grep -q '"count":437' "$workspace/tutorial.out" && grep -q '"totalSize":31' "$workspace/tutorial.out" &&
  grep -qF '2026-01-01: visits 77,510 → 6,184 (-92%), against 2025-12-01' "$workspace/tutorial.out" &&
  grep -q '^refused$' "$workspace/tutorial.out" || { cat "$workspace/tutorial.out"; false; }; check "the tutorial" $?
[ -z "$(git status --porcelain)" ]; check "the README, the tutorial and the pages leave nothing in the clone that git sees" $?

first_token=$(grep LOCMETRICS_TOKEN= .locmetrics/demo.env)
[ -n "$server" ] && kill -TERM "$server"; check "the server is told to stop" $?
for _ in $(seq 1 1000); do [ -d "/proc/$server" ] || break; sleep 0.1; done
[ ! -d "/proc/$server" ]; check "the server stops" $?
start; check "a second npm start becomes ready" $?
find_server
! grep -q Publishing "$workspace/start.err"; check "a second start reuses the data" $?
[ "$first_token" = "$(grep LOCMETRICS_TOKEN= .locmetrics/demo.env)" ]; check "a second start reuses the token" $?
[ -n "$server" ] && kill -TERM "$server"
for _ in $(seq 1 1000); do [ -d "/proc/$server" ] || break; sleep 0.1; done
server=

unset LOCMETRICS_HTTP LOCMETRICS_GRPC
# The tests do not run again if they just ran on the same commit.
[ -n "${WALK_TESTED:-}" ] || { npm test; check "npm test" $?; }
[ -z "$(git status --porcelain --untracked-files=no)" ]; check "nothing in the clone was changed" $?

#!/usr/bin/env bash
# Installs what the steps of .ci/run use, as far as it can be had: into a folder, beside the packages of npm, and
# Debian's programs on the machine. `tests` is what `npm test` uses, `steps` the rest, which takes minutes and mostly
# waits for the network. Downloads are kept between runs: those of npm, pip, Go and Maven in their usual places, those
# of Debian in the cache of the user.
set -uo pipefail
part=$1
folder=$2
cd "$(dirname "$0")/.."

downloads=${XDG_CACHE_HOME:-$HOME/.cache}/locmetrics-ci
mkdir -p "$downloads" "$folder"

# Unpacks packages of Debian without their services. Those that do not exist are left out.
unpack() { # folder, packages
  local into=$1 name
  mkdir -p "$into"
  (
    cd "$downloads" || exit 1
    download() { apt-get download -qq -o APT::Sandbox::User=root "$@"; }
    # A package that is here in its current version is not downloaded again.
    download "${@:2}" || for name in "${@:2}"; do download "$name"; done
    for name in "${@:2}"; do
      [ -z "$(ls "$name"_*.deb 2> /dev/null)" ] || dpkg -x "$(ls -t "$name"_*.deb | head -1)" "$into"
    done
  )
}
program() { # name, packages
  command -v "$1" > /dev/null || apt-get install -y -qq --no-install-recommends "${@:2}"
}

if [ "$part" = tests ]; then
  apt-get update -qq
  # nginx for the files of deploy/ and for the benchmark, and Prometheus' own tool.
  unpack "$folder/debian" nginx prometheus
  # The schemas of Kubernetes.
  python3 -m venv "$folder/python" && "$folder/python/bin/pip" install --quiet kubernetes-validate==1.37.0
  # A page of the documentation needs jq.
  program jq jq
else
  npm run --silent test:tools
  # The client and the explorer are tried in Debian's browser.
  program chromium chromium
  # The examples in R.
  program Rscript r-base-core
  # Debian's old ClickHouse, with the libraries that it needs, and for a cluster of it ZooKeeper.
  libraries=$(apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces \
    --no-enhances clickhouse-server clickhouse-common | grep '^lib' | grep -vxE 'libc6|libgcc-s1')
  # shellcheck disable=SC2086
  unpack "$folder/clickhouse" clickhouse-server clickhouse-common $libraries \
    libzookeeper-java libslf4j-java libsnappy-java libdropwizard-metrics-java libnetty-java
  # PostGIS makes tiles. PostgreSQL finds it only where Debian installs it.
  ! ls /usr/lib/postgresql/*/bin/initdb > /dev/null 2>&1 ||
    apt-get install -y -qq --no-install-recommends '^postgresql-[0-9]+-postgis-3$'
fi

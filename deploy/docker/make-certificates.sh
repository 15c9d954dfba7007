#!/usr/bin/env bash
# Makes two certificates for compose.two-nodes.yaml in deploy/docker/tls, and keeps those that are there:
#
#   node.pem, node.key      what nginx expects from the nodes: the name locmetrics.internal, valid for ten years. It also
#                           has their host names, by which they reach each other
#   public.pem, public.key  what callers see: localhost, valid for 90 days. Replace it by one that callers trust.
#
# Both sign themselves. The folder is readable by its owner alone; the files in it are readable by all, because the users
# in the containers are others. Another folder can be given: make-certificates.sh FOLDER
set -euo pipefail
umask 077
folder=${1:-$(dirname "$0")/tls}
mkdir -p "$folder"

make() { # name, names in the certificate, days
  [ ! -e "$folder/$1.pem" ] || return 0
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days "$3" \
    -subj "/CN=Locmetrics" -addext "subjectAltName=$2" -addext 'extendedKeyUsage=serverAuth' \
    -keyout "$folder/$1.key" -out "$folder/$1.pem" 2> /dev/null
  chmod 644 "$folder/$1.key" "$folder/$1.pem"
  echo "Made $folder/$1.pem for $2."
}

make node DNS:locmetrics.internal,DNS:node-1,DNS:node-2 3650
make public DNS:localhost,IP:127.0.0.1 90

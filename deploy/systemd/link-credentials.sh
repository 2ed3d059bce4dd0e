#!/bin/sh
# Makes <runtime folder>/secrets/<secret>/<key> of the credentials that systemd has loaded as secrets_<secret>_<key>.
set -eu
folder="$RUNTIME_DIRECTORY/secrets"
rm -rf "$folder"
mkdir -p "$folder"
for file in "$CREDENTIALS_DIRECTORY"/secrets_*; do
  [ -e "$file" ] || continue
  name=${file##*/secrets_}
  mkdir -p "$folder/${name%%_*}"
  ln -s "$file" "$folder/${name%%_*}/${name#*_}"
done

#!/bin/sh
# Installs Askance @VERSION@ for this user: the executables, man pages and completions. ASKANCE_PREFIX is where
# (default: ~/.local).
set -eu

name=askance-@VERSION@-@TARGET@
prefix=${ASKANCE_PREFIX:-$HOME/.local}

machine=$(uname -m)
case "$(uname -s)-$machine" in
  Linux-*) ;;
  *) echo "there is no build for $(uname -s) yet; askance records on Linux" >&2; exit 1 ;;
esac
case "@TARGET@" in
  "$machine"-*) ;;
  *) echo "this build is for @TARGET@, and this machine is $machine" >&2; exit 1 ;;
esac

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
case "@URL@" in
  file://*) cp "$(echo "@URL@" | sed 's,^file://,,')/$name.tar.gz" "$folder/askance.tar.gz" ;;
  *) curl --proto '=https' --tlsv1.2 -fsSL "@URL@/$name.tar.gz" -o "$folder/askance.tar.gz" ;;
esac
echo "@SHA256@  $folder/askance.tar.gz" | sha256sum -c --quiet -
tar -xzf "$folder/askance.tar.gz" -C "$folder"

mkdir -p "$prefix/bin" "$prefix/share/man/man1" "$prefix/share/bash-completion/completions"
install -m 755 "$folder/$name/askance" "$folder/$name/askance-query" "$prefix/bin/"
cp "$folder/$name"/man/*.1 "$prefix/share/man/man1/"
cp "$folder/$name/completions/askance.bash" "$prefix/share/bash-completion/completions/askance"
echo "askance @VERSION@ is in $prefix/bin"
case ":$PATH:" in
  *":$prefix/bin:"*) ;;
  *) echo "add it to your PATH: export PATH=\"$prefix/bin:\$PATH\"" ;;
esac

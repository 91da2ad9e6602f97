#!/bin/sh
# Installs Askance @VERSION@ for this user: the executables, man pages and completions. ASKANCE_PREFIX is where
# (default: ~/.local).
set -eu

system=$(uname -s)
machine=$(uname -m)
if [ "$system" != Linux ]; then
  echo "there is no build for $system yet; askance records on Linux" >&2
  exit 1
fi
case "$machine" in
  @MACHINE@) target=@TARGET@ sum=@SHA256@ ;;
  *) echo "there is no build for $machine" >&2; exit 1 ;;
esac
name=askance-@VERSION@-$target
prefix=${ASKANCE_PREFIX:-${HOME:?set it or ASKANCE_PREFIX, the folder to install to}/.local}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' HUP INT TERM
case "@URL@" in
  file://*) cp "$(echo "@URL@" | sed 's,^file://,,')/$name.tar.gz" "$folder/askance.tar.gz" ;;
  *) curl --proto '=https' --tlsv1.2 -fsSL "@URL@/$name.tar.gz" -o "$folder/askance.tar.gz" ;;
esac
if ! echo "$sum  $folder/askance.tar.gz" | sha256sum -c --status -; then
  echo "what was downloaded is not $name.tar.gz as it was released; nothing was installed" >&2
  exit 1
fi
tar -xzf "$folder/askance.tar.gz" -C "$folder"

share=$prefix/share
mkdir -p "$prefix/bin" "$share/man/man1" "$share/bash-completion/completions"
mkdir -p "$share/zsh/site-functions" "$share/fish/vendor_completions.d"
install -m 755 "$folder/$name/askance" "$folder/$name/askance-query" "$prefix/bin/"
cp "$folder/$name"/man/*.1 "$share/man/man1/"
cp "$folder/$name/completions/askance.bash" "$share/bash-completion/completions/askance"
cp "$folder/$name/completions/_askance" "$share/zsh/site-functions/"
cp "$folder/$name/completions/askance.fish" "$share/fish/vendor_completions.d/"
echo "askance @VERSION@ is in $prefix/bin"
case ":$PATH:" in
  *":$prefix/bin:"*) ;;
  *) echo "add it to your PATH: export PATH=\"$prefix/bin:\$PATH\"" ;;
esac

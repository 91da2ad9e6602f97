class Askance < Formula
  desc "Declarative debugger for Java: records a run and names the call to blame"
  homepage "@URL@"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

  # Each machine's archive and its sum.
  sums = {
    "@TARGET@" => "@SHA256@",
  }
  target = "#{Hardware::CPU.arm? ? "aarch64" : "x86_64"}-unknown-linux-gnu"
  url "@URL@/askance-@VERSION@-#{target}.tar.gz"
  sha256 sums.fetch(target) { odie "there is no build for #{target}" }

  depends_on :linux

  def install
    bin.install "askance", "askance-query"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/askance.bash" => "askance"
    zsh_completion.install "completions/_askance"
    fish_completion.install "completions/askance.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/askance --version")
  end
end

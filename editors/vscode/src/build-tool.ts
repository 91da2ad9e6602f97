// Which build tool runs the tests of a folder, and the command that runs one of them.

/** Tells whether there is a file, by the folder's path and the name. */
export type Exists = (folder: string, name: string) => Promise<boolean>;

export interface Build {
  tool: "maven" | "gradle";
  /** Where the command runs: the folder of the module. */
  folder: string;
  /** The program that builds. */
  program: string;
}

const FILES: { tool: Build["tool"]; files: string[]; wrapper: string; program: string }[] = [
  { tool: "maven", files: ["pom.xml"], wrapper: "mvnw", program: "mvn" },
  { tool: "gradle", files: ["build.gradle", "build.gradle.kts"], wrapper: "gradlew", program: "gradle" },
];

/** The folders from one upwards to another, both included. */
export function upwards(folder: string, top: string): string[] {
  const found = [folder];
  for (let now = folder; now !== top && now.includes("/"); ) {
    now = now.slice(0, now.lastIndexOf("/")) || "/";
    found.push(now);
    if (now === "/") break;
  }
  return found;
}

/** The build that a folder belongs to: the nearest module, with the nearest wrapper. */
export async function buildOf(folder: string, top: string, exists: Exists): Promise<Build | null> {
  const folders = upwards(folder, top);
  for (const [place, module] of folders.entries()) {
    for (const { tool, files, wrapper, program } of FILES) {
      const isHere = await Promise.all(files.map((file) => exists(module, file)));
      if (!isHere.includes(true)) continue;
      for (const above of folders.slice(place)) {
        if (await exists(above, wrapper)) return { tool, folder: module, program: `${above}/${wrapper}` };
      }
      return { tool, folder: module, program };
    }
  }
  return null;
}

/** The words that run one test, or a class of them. */
export function testCommand({ tool, program }: Build, className: string, method: string | null): string[] {
  if (tool === "maven") {
    const pattern = method === null ? className : `${className}#${method}`;
    return [program, "-q", "test", `-Dtest=${pattern}`, "-Dsurefire.failIfNoSpecifiedTests=false", "-DfailIfNoTests=false"];
  }
  // A daemon that runs already would not be recorded, and a task whose result is kept would not run.
  return [program, "-q", "--no-daemon", "--rerun-tasks", "test", "--tests", method === null ? className : `${className}.${method}`];
}

// Where the executable is: what the setting says, or the first on PATH.

import { delimiter, isAbsolute, join } from "node:path";

/** Tells whether a file is there and may be executed. */
export type IsExecutable = (path: string) => Promise<boolean>;

export type Found = { path: string } | { missing: string };

const NAMES = process.platform === "win32" ? ["askance.exe"] : ["askance"];

/** What to do if there is none. */
export const ADVICE = "Install it (its README says how), or say where it is with the setting askance.path.";

export async function findExecutable(setting: string, pathVariable: string, isExecutable: IsExecutable, home: string): Promise<Found> {
  const wanted = setting.trim().replace(/^~(?=\/)/, home);
  if (wanted !== "") {
    if (!isAbsolute(wanted)) return { missing: `The setting askance.path is ${wanted}, which is no absolute path. ${ADVICE}` };
    if (await isExecutable(wanted)) return { path: wanted };
    return { missing: `There is no executable at ${wanted}, which the setting askance.path names. ${ADVICE}` };
  }
  // Cargo's folder is not on the PATH of editors that a desktop starts.
  const folders = [...pathVariable.split(delimiter).filter((folder) => isAbsolute(folder)), join(home, ".cargo", "bin"), join(home, ".local", "bin")];
  for (const folder of folders) {
    for (const name of NAMES) {
      const path = join(folder, name);
      if (await isExecutable(path)) return { path };
    }
  }
  return { missing: `The executable askance was found neither on PATH nor in ~/.cargo/bin. ${ADVICE}` };
}

import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** The file of a program on PATH. */
export function findProgram(name: string, searched = process.env.PATH ?? ''): string | undefined {
  return searched
    .split(path.delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => path.join(folder, name))
    .find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

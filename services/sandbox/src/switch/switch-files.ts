import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The switch's own disk. Paths of commands are paths on it: none of them leads out of its folder. */
export class SwitchFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = path.resolve(folder);
  }

  exists(file: string): boolean {
    return existsSync(this.#resolve(file));
  }

  read(file: string): Buffer | undefined {
    try {
      return readFileSync(this.#resolve(file));
    } catch {
      return undefined;
    }
  }

  /** Missing folders are made. */
  write(file: string, content: Buffer): void {
    const target = this.#resolve(file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, content);
  }

  remove(file: string): void {
    rmSync(this.#resolve(file), { force: true });
  }

  #resolve(file: string): string {
    // Joined to "/" first, so that no number of ".." gets above it.
    return path.join(this.#folder, path.join('/', file));
  }
}

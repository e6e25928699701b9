import { randomBytes } from 'node:crypto';
import { link, mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { CommandError, ExitCode } from '../errors.ts';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** Read or write by the group or others. */
const OTHERS = 0o077;
/** More is not ours. */
const FILE_BYTES_MAX = 1024 * 1024;

/** The text of a file that only its owner can read; undefined when there is none. Others could have the secrets in any other. */
export async function readPrivateFile(file: string): Promise<string | undefined> {
  const handle = await open(file, 'r').catch(unlessMissing);
  if (!handle) return undefined;
  try {
    const { mode, uid, size } = await handle.stat();
    // Windows has no such modes.
    if (process.platform !== 'win32') requirePrivate(file, mode, uid);
    if (size > FILE_BYTES_MAX)
      throw new CommandError(ExitCode.notSignedIn, `${file} is not a file of the command line`);
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

function requirePrivate(file: string, mode: number, uid: number): void {
  const own = process.getuid?.();
  if (own !== undefined && uid !== own)
    throw new CommandError(ExitCode.notSignedIn, `${file} belongs to another user`, 'Remove it and sign in again.');
  if ((mode & OTHERS) !== 0)
    throw new CommandError(
      ExitCode.notSignedIn,
      `${file} can be read by others (mode ${(mode & 0o777).toString(8)})`,
      `Others may know what is in it: sign in again after "rm ${file}", or keep it with "chmod 600 ${file}".`,
    );
}

/** Replaces a file as a whole: whoever reads it has the old text or the new one, also after a crash. */
export async function writePrivateFile(
  file: string,
  text: string,
  { survivesPowerFailure = true } = {},
): Promise<void> {
  const written = await writeBeside(file, text, survivesPowerFailure);
  await rename(written, file).catch(async (error: unknown) => {
    await rm(written, { force: true });
    throw error;
  });
}

/** Creates a file unless it is there; resolves to the text that it has then. */
export async function createPrivateFile(file: string, text: string): Promise<string> {
  const written = await writeBeside(file, text, true);
  try {
    await link(written, file);
    return text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return (await readPrivateFile(file)) ?? text;
  } finally {
    await rm(written, { force: true });
  }
}

async function writeBeside(file: string, text: string, survivesPowerFailure: boolean): Promise<string> {
  await mkdir(path.dirname(file), { recursive: true, mode: FOLDER_MODE });
  const written = `${file}.${process.pid}-${randomBytes(6).toString('hex')}.new`;
  const handle = await open(written, 'wx', FILE_MODE);
  try {
    await handle.writeFile(text);
    if (survivesPowerFailure) await handle.sync();
  } finally {
    await handle.close();
  }
  return written;
}

export async function removeFile(file: string): Promise<void> {
  await rm(file, { force: true });
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

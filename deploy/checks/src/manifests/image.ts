import { cpSync, existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import dockerignore from '@balena/dockerignore';

/** The steps of deploy/images/Dockerfile for one service, as far as they can be done without Docker. */
export interface ImageRecipe {
  /** COPY from the checkout: what, and where to inside the image. */
  copies: { source: string; target: string }[];
  /** Commands of the first stage, in which no service is named. */
  beforeService: string[];
  /** Arguments of `pnpm` that install the service. */
  install: string[];
  /** The command that makes what is neither source nor dependency, if the service has any. */
  makeAssets: string;
  /** The folder and the command the container starts with. */
  workdir: string;
  entrypoint: string[];
  user: string;
  arguments: Record<string, string>;
}

export function readImageRecipe(root: string, service: string): ImageRecipe {
  const text = readFileSync(path.join(root, 'deploy/images/Dockerfile'), 'utf8');
  const written = text
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'));
  const lines = written.map((line) => line.replaceAll('${SERVICE}', service));
  const all = (instruction: string) =>
    lines.filter((line) => line.startsWith(`${instruction} `)).map((line) => line.slice(instruction.length + 1));
  const firstUse = written.findIndex((line) => line === 'ARG SERVICE' || line.includes('${SERVICE}'));
  const workdirs = all('WORKDIR');
  const installing = all('RUN').find((command) => command.includes('pnpm install')) ?? '';
  return {
    copies: all('COPY')
      .filter((copy) => !copy.startsWith('--from'))
      .flatMap((copy) => {
        const words = copy.split(/\s+/);
        const target = words.at(-1) ?? '';
        return words
          .slice(0, -1)
          .map((source) => ({ source, target: resolveTarget(workdirs[0] ?? '/', source, target) }));
      }),
    beforeService: written.slice(0, firstUse),
    install: installing
      .slice(installing.indexOf('pnpm install') + 'pnpm '.length)
      .replaceAll('"', '')
      .split(/\s+/),
    makeAssets: new RegExp(` ${service}\\) (.*?) ;;`).exec(all('RUN').join(' '))?.[1] ?? '',
    workdir: workdirs.at(-1) ?? '/',
    entrypoint: JSON.parse(all('ENTRYPOINT')[0] ?? '[]') as string[],
    user: all('USER')[0] ?? 'root',
    arguments: Object.fromEntries(all('ARG').map((argument) => argument.split('=') as [string, string])),
  };
}

/** COPY of a file into a folder keeps its name; COPY of a folder copies what is inside. */
function resolveTarget(workdir: string, source: string, target: string): string {
  const absolute = path.resolve(workdir, target);
  return target.endsWith('/') && !source.endsWith('/') ? path.join(absolute, path.basename(source)) : absolute;
}

/** Lays out below `imageRoot` what the image would contain, without the files of .dockerignore; returns the missing sources. */
export function layOutImage(root: string, recipe: ImageRecipe, imageRoot: string): string[] {
  const ignored = dockerignore.default().add(readFileSync(path.join(root, '.dockerignore'), 'utf8'));
  const isSent = (file: string) => statSync(file).isDirectory() || !ignored.ignores(path.relative(root, file));
  return recipe.copies.flatMap(({ source, target }) => {
    const from = path.join(root, source);
    if (!existsSync(from) || !isSent(from)) return [source];
    // node_modules is skipped as a whole, because walking all of them would take minutes.
    cpSync(from, path.join(imageRoot, target), {
      recursive: true,
      filter: (file) => path.basename(file) !== 'node_modules' && isSent(file),
    });
    return [];
  });
}

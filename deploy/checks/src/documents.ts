import { globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { root } from './root.ts';

const SOURCE_FILE = /\w[\w*}>]*\.(?:ts|tsx|mjs|md|css|ya?ml|proto|patch)$/;
const PATH = /^[\w.@*{},<>-]+(?:\/[\w.@*{},<>-]+)*\/?$/;

/** Of the repository: paths of all files and folders. */
interface Tree {
  readonly paths: ReadonlySet<string>;
  read(file: string): string;
}

/**
 * What documents say that can be compared with the repository: relative links with their anchors, paths in backticks, and the number of lines
 * or files that follows a path, as in "(`libs/queues/src/batch.ts`, 80 lines)" or "(`services/*`, 10 folders)".
 */
export function documentProblems(document: string, tree: Tree): string[] {
  const text = tree.read(document).replaceAll(/^```.*?^```/gms, '');
  return [...linkProblems(document, text, tree), ...pathProblems(text, tree), ...countProblems(text, tree)];
}

function linkProblems(document: string, text: string, tree: Tree): string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)|\b(?:src|srcset|href)="([^"]+)"/g)].flatMap(([, link, attribute]) => {
    const [file = '', anchor] = (link ?? attribute!).split('#');
    if (/^[a-z]+:/.test(file)) return [];
    const target = file === '' ? document : path.normalize(path.join(path.dirname(document), file)).replace(/\/$/, '');
    if (!tree.paths.has(target)) return [`links to ${target}, which does not exist`];
    if (anchor === undefined || !target.endsWith('.md') || anchorsOf(tree.read(target)).includes(anchor)) return [];
    return [`links to #${anchor}, which ${target} does not have`];
  });
}

/** As GitHub makes them from headings. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function pathProblems(text: string, tree: Tree): string[] {
  const named = [...text.matchAll(/`([^`\s]+)`/g)].map(([, name]) => name!).filter((name) => isPath(name, tree));
  return named
    .filter((name) => pathsOf(name, tree).length === 0)
    .map((name) => `names \`${name}\`, which does not exist`);
}

/** A path of the repository, or the end of one: it begins with a folder of the root, or names a source file. */
function isPath(name: string, tree: Tree): boolean {
  if (!PATH.test(name)) return false;
  const [first] = name.split('/');
  return SOURCE_FILE.test(name) || (name.includes('/') && tree.paths.has(first!) && !first!.startsWith('.'));
}

/** The paths that a name with placeholders stands for; a file may be named by the end of its path. */
function pathsOf(name: string, tree: Tree): string[] {
  const pattern = name
    .replace(/^\.\/|\/$/g, '')
    .replaceAll(/<[^>]*>/g, '*')
    .replaceAll('.', String.raw`\.`)
    .replaceAll(/\*+/g, '[^/]*')
    .replaceAll(/\{([^}]*)\}/g, (_, names: string) => `(?:${names.replaceAll(',', '|')})`);
  const matcher = new RegExp(`^(?:.*/)?${pattern}$`);
  return [...tree.paths].filter((candidate) => matcher.test(candidate));
}

function countProblems(text: string, tree: Tree): string[] {
  return [...text.matchAll(/`([^`\s]+)`, ([\d,]+) (lines|files|folders)\b/g)].flatMap(([, name, written, unit]) => {
    const files = pathsOf(name!, tree).filter((file) => !/\.test\.tsx?$/.test(file));
    const counted = Number(written!.replaceAll(',', ''));
    const actual = unit === 'lines' ? linesOf(files, tree) : files.length;
    const isRight = unit === 'lines' ? Math.abs(actual - counted) <= actual / 5 : actual === counted;
    return isRight ? [] : [`says that \`${name}\` has ${written} ${unit}; it has ${actual}`];
  });
}

/** Of files, and of all sources within folders, without tests. */
function linesOf(paths: readonly string[], tree: Tree): number {
  const files = [...tree.paths].filter(
    (file) =>
      /\.(?:ts|tsx|mjs)$/.test(file) &&
      !/\.test\.tsx?$/.test(file) &&
      paths.some((given) => file === given || file.startsWith(`${given}/`)),
  );
  return files.reduce((sum, file) => sum + tree.read(file).split('\n').length - 1, 0);
}

function ownerProblems(file: string, tree: Tree): string[] {
  const owned = [...tree.read(file).matchAll(/^\/(\S+?)\/?\s/gm)].map(([, owned]) => owned!);
  return owned.filter((name) => !tree.paths.has(name)).map((name) => `${file} names ${name}, which does not exist`);
}

export function documentsAgreeWithCode(): Promise<{ ok: boolean; output: string }> {
  const paths = globSync(['**', '.github/**'], {
    cwd: root,
    exclude: (name) => /(?:^|\/)(?:node_modules|\.git|\.parley|\.cache)$/.test(name),
  });
  const tree: Tree = { paths: new Set(paths), read: (file) => readFileSync(path.join(root, file), 'utf8') };
  const documents = paths.filter((file) => file.endsWith('.md') && statSync(path.join(root, file)).isFile());
  const problems = [
    ...documents.flatMap((document) => documentProblems(document, tree).map((problem) => `${document} ${problem}`)),
    ...ownerProblems('.github/CODEOWNERS', tree),
  ];
  return Promise.resolve({ ok: problems.length === 0, output: problems.join('\n') });
}

import { runCommand } from './run-command.ts';

interface Module {
  readonly source: string;
  readonly dependencies: readonly { readonly resolved: string }[];
}

interface Cruise {
  readonly modules: readonly Module[];
  readonly summary: {
    readonly violations: readonly {
      readonly from: string;
      readonly to: string;
      readonly rule: { readonly name: string };
    }[];
  };
}

const FIRST_LEVEL = /^services\/[^/]+\/src\/[^/]+(?=\/)/;

/** The first-level folders of services that import each other in a circle, each with the imports that form it. */
export function circlesOfFirstLevel(modules: readonly Module[]): string[] {
  const imports = new Map<string, Set<string>>();
  for (const { source, dependencies } of modules) {
    const from = FIRST_LEVEL.exec(source)?.[0];
    if (from === undefined) continue;
    const imported = imports.get(from) ?? new Set();
    imports.set(from, imported);
    for (const { resolved } of dependencies) {
      const to = FIRST_LEVEL.exec(resolved)?.[0];
      if (to !== undefined && to !== from) imported.add(to);
    }
  }
  const reachable = new Map([...imports.keys()].map((folder) => [folder, reachableFrom(folder, imports)]));
  return modules.flatMap(({ source, dependencies }) => {
    const from = FIRST_LEVEL.exec(source)?.[0] ?? '';
    const closing = dependencies.filter(({ resolved }) => {
      const to = FIRST_LEVEL.exec(resolved)?.[0] ?? '';
      return to !== from && reachable.get(to)?.has(from);
    });
    return closing.map(({ resolved }) => `circle of folders: ${source} → ${resolved}`);
  });
}

function reachableFrom(folder: string, imports: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const added = [...(imports.get(next) ?? [])].filter((imported) => !reached.has(imported));
    for (const imported of added) reached.add(imported);
    waiting.push(...added);
  }
  return reached;
}

/**
 * The rules of `.dependency-cruiser.folders.mjs`, which compare each folder with its siblings and subfolders, and the order of the
 * first-level folders of a service with everything in them.
 */
export async function foldersAreOrdered(): Promise<{ ok: boolean; output: string }> {
  const { output } = await runCommand('depcruise', [
    '--config',
    '.dependency-cruiser.folders.mjs',
    '--output-type',
    'json',
    'libs',
    'services',
  ]);
  if (!output.startsWith('{')) return { ok: false, output };
  const { modules, summary } = JSON.parse(output) as Cruise;
  const broken = summary.violations.map(({ from, to, rule }) => `${rule.name}: ${from} → ${to}`);
  const problems = [...broken, ...circlesOfFirstLevel(modules)];
  return { ok: problems.length === 0, output: problems.join('\n') };
}

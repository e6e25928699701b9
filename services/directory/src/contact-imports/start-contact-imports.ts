import { decided } from '@parley/errors';
import type { RunningCommands } from '@parley/aggregates';
import type { Person } from '@parley/personal-data';
import type { Companies } from '../companies/company-store.ts';
import { type ContactImport, type ImportCommand, type PortionResult, recordPortion } from './contact-import.ts';
import type { ContactImports, ImportPortion } from './contact-import-store.ts';
import { type ImportLine, importLine, type ImportLineDeps, type LineResult } from './import-line.ts';

/** Imports at a time in one process: they run beside the traffic, companies in turn. */
const CONCURRENCY = 2;
/** Longer than a portion takes; another process takes over after it. */
const LEASE_MS = 90_000;
/** Lines of a portion that are imported at a time. */
const LINES_AT_ONCE = 8;

interface PortionDeps extends ImportLineDeps {
  /** Whose erasures are running. */
  readonly erasing: (companyId: string) => Promise<readonly Person[]>;
}

/** Imports portion after portion. One that fails, or whose process ends, is repeated: its lines change nothing the second time. */
export function startContactImports(
  imports: ContactImports,
  deps: PortionDeps & { readonly companies: Companies },
): RunningCommands {
  return imports.startCommands<{ import_portion: { portion: number; result: PortionResult } | null }>(
    {
      import_portion: {
        guarantee: 'until_confirmed',
        async execute(_command, { companyId, aggregateId: importId }) {
          const current = await imports.of(companyId).get(importId);
          if (current?.state !== 'running') return null;
          const { next: index } = current;
          const portion = await imports.portion(companyId, importId, index);
          if (!portion) throw new Error('the lines of an import are missing');
          const company = await deps.companies.of(companyId).get(companyId);
          if (!company || company.isBeingDeleted) return null;
          const result = await importPortion({ ...deps, imports }, portion, company.country);
          return { portion: index, result };
        },
        settle: (current: ContactImport, _command, imported) =>
          imported === null || 'unknown' in imported
            ? decided<ContactImport, never, ImportCommand>(current)
            : recordPortion(current, imported.portion, imported.result),
      },
    },
    { concurrency: CONCURRENCY, leaseMs: LEASE_MS },
  );
}

/**
 * Imports the lines of a portion. People who are erased meanwhile, by this or another process, are looked for again at the end: what
 * their lines have created is removed before the portion is finished.
 */
async function importPortion(
  deps: PortionDeps & { readonly imports: ContactImports },
  { companyId, importId, index }: Pick<ImportPortion, 'companyId' | 'importId' | 'index'>,
  country: string,
): Promise<PortionResult> {
  const { imports, erasing } = deps;
  const results = new Map<number, LineResult>();
  const erased = new Set<number>();
  for (;;) {
    for (const person of await erasing(companyId))
      await imports.erasePerson(person, country, { after: `${importId}.${index - 1}`, limit: 1 });
    const portion = await imports.portion(companyId, importId, index);
    if (!portion) throw new Error('the lines of an import are missing');
    if (portion.result && results.size === 0) return portion.result;
    const isDone = ({ line, isErased }: ImportLine) => (isErased ? erased : results).has(line);
    const lines = portion.lines.filter((line) => !isDone(line));
    await importLines(lines, async (line) => {
      results.set(line.line, await importLine(deps, { companyId, country, importId }, line));
      if (line.isErased) erased.add(line.line);
    });
    const result = resultOf(results);
    if (lines.length === 0 && (await imports.finishPortion(portion, result, erased))) return result;
  }
}

/** Lines with the same number one after the other, others at the same time. */
async function importLines(lines: readonly ImportLine[], work: (line: ImportLine) => Promise<void>): Promise<void> {
  // Digits alone: two formats of a number have the same end.
  const byNumber = Map.groupBy(lines, ({ phone }) => phone.replaceAll(/\D/g, '').slice(-6));
  const rest = byNumber.values();
  const worker = async () => {
    for (const same of rest) for (const line of same) await work(line);
  };
  await Promise.all(Array.from({ length: LINES_AT_ONCE }, worker));
}

function resultOf(results: ReadonlyMap<number, LineResult>): PortionResult {
  const all = [...results.values()];
  return {
    created: all.filter((result) => result === 'created').length,
    updated: all.filter((result) => result === 'updated').length,
    refused: [...results]
      .flatMap(([line, result]) => (typeof result === 'object' ? [{ line, error: result.error }] : []))
      .toSorted((one, other) => one.line - other.line),
  };
}

import { decided } from '@parley/errors';
import type { RunningCommands } from '@parley/aggregates';
import type { Companies } from '../companies/company-store.ts';
import { type ContactImport, type ImportCommand, type PortionResult, recordPortion } from './contact-import.ts';
import type { ContactImports } from './contact-import-store.ts';
import { type ImportLine, importLine, type ImportLineDeps, type LineResult } from './import-line.ts';

/** Imports at a time in one process: they run beside the traffic, companies in turn. */
const CONCURRENCY = 2;
/** Longer than a portion takes; another process takes over after it. */
const LEASE_MS = 90_000;
/** Lines of a portion that are imported at a time. */
const LINES_AT_ONCE = 8;

/** Imports portion after portion. One that fails, or whose process ends, is repeated: its lines change nothing the second time. */
export function startContactImports(
  imports: ContactImports,
  deps: ImportLineDeps & { readonly companies: Companies },
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
          if (portion.result) return { portion: index, result: portion.result };
          const company = await deps.companies.of(companyId).get(companyId);
          if (!company || company.isBeingDeleted) return null;
          const { country } = company;
          const result = await importLines(portion.lines, (line) =>
            importLine(deps, { companyId, country, importId }, line),
          );
          await imports.finishPortion(companyId, importId, index, result);
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

/** Lines with the same number one after the other, others at the same time. */
async function importLines(
  lines: readonly ImportLine[],
  work: (line: ImportLine) => Promise<LineResult>,
): Promise<PortionResult> {
  const results = new Map<number, LineResult>();
  // Digits alone: two formats of a number have the same end.
  const byNumber = Map.groupBy(lines, ({ phone }) => phone.replaceAll(/\D/g, '').slice(-6));
  const rest = byNumber.values();
  const worker = async () => {
    for (const same of rest) for (const line of same) results.set(line.line, await work(line));
  };
  await Promise.all(Array.from({ length: LINES_AT_ONCE }, worker));
  const all = [...results.values()];
  return {
    created: all.filter((result) => result === 'created').length,
    updated: all.filter((result) => result === 'updated').length,
    refused: [...results]
      .flatMap(([line, result]) => (typeof result === 'object' ? [{ line, error: result.error }] : []))
      .toSorted((one, other) => one.line - other.line),
  };
}

import type { Clock } from '@parley/clock';
import { decided } from '@parley/errors';
import { openAggregates, openDocuments, type Relay, slotTaken } from '@parley/aggregates';
import type { Person } from '@parley/personal-data';
import { nextTurnIfDue } from '@parley/queues';
import type { Db } from 'mongodb';
import type { ContactImport, ImportCommand, PortionResult, RefusedLine } from './contact-import.ts';
import { type ImportLine, linesOf } from './import-line.ts';

/** Some lines of a file; once they are imported, only what became of them is kept, and which ones were erased. */
export interface ImportPortion {
  readonly id: string;
  readonly companyId: string;
  readonly importId: string;
  readonly index: number;
  readonly lines: readonly ImportLine[];
  readonly result: PortionResult | null;
  readonly expiresAt: Date;
}

export interface ErasedLine {
  readonly importId: string;
  readonly line: number;
}

export type ContactImports = Awaited<ReturnType<typeof openContactImports>>;

const EXPIRY_EVERY_MS = 3600 * 1000;
/** A file has fewer. */
const PORTIONS_MAX = 1000;
/** At least as long as an import is kept. */
const PORTION_KEPT_MS = 8 * 24 * 3600 * 1000;

export async function openContactImports(db: Db, relay: Relay, clock: Clock) {
  const imports = await openAggregates<ContactImport, never, ImportCommand>({
    db,
    collection: 'contact_imports',
    relay,
    clock,
    encode: () => {
      throw new Error('imports publish nothing; their contacts do');
    },
    indexes: [
      // Those that are done have no slot.
      {
        name: 'company_slot',
        key: { companyId: 1, slot: 1 },
        unique: true,
        partialFilterExpression: { slot: { $exists: true } },
      },
      { name: 'expires', key: { expiresAt: 1 } },
    ],
    collisions: { company_slot: slotTaken },
  });
  const portions = await openDocuments<ImportPortion>({
    db,
    collection: 'contact_import_portions',
    indexes: [
      { name: 'import', key: { companyId: 1, importId: 1, index: 1 } },
      { name: 'expires', key: { expiresAt: 1 } },
    ],
  });
  const idOf = (importId: string, index: number) => `${importId}.${index}`;
  return {
    ...imports,
    async addPortion({ id: importId, companyId }: ContactImport, index: number, lines: readonly ImportLine[]) {
      const id = idOf(importId, index);
      const expiresAt = new Date(clock.now().getTime() + PORTION_KEPT_MS);
      const portion = { id, companyId, importId, index, lines, result: null, expiresAt };
      await portions.of(companyId).upsert(id, (known) => decided(known ?? portion));
    },
    /** Undefined when there is none. */
    portion: (companyId: string, importId: string, index: number) => portions.of(companyId).get(idOf(importId, index)),
    /** Resolves with false when more lines were erased than `erased`: what they have created has to be removed first. */
    async finishPortion({ companyId, id }: ImportPortion, result: PortionResult, erased: ReadonlySet<number>) {
      const isMissed = ({ line, isErased }: ImportLine) => isErased === true && !erased.has(line);
      const after = await portions.of(companyId).change(id, (current) => {
        if (current.result || current.lines.some(isMissed)) return decided(current);
        return decided({ ...current, lines: current.lines.filter(({ isErased }) => isErased), result });
      });
      return !after.lines.some(isMissed);
    },
    /** Erases a person from portions that were stored before, behind the portion with an id. */
    async erasePerson(person: Person, country: string, { after, limit }: { after: string; limit: number }) {
      const { companyId, phoneNumber, before } = person;
      const [lastImport = '', lastIndex = '-1'] = after.split('.');
      const behind = [{ importId: { $gt: lastImport } }, { importId: lastImport, index: { $gt: Number(lastIndex) } }];
      const page = await Array.fromAsync(
        portions.of(companyId).find({ $or: behind }, { importId: 1, index: 1 }, limit),
      );
      const lines: ErasedLine[] = [];
      for (const portion of page) {
        if (portion.expiresAt.getTime() - PORTION_KEPT_MS > before.getTime()) continue;
        const found = await linesOf(portion.lines, phoneNumber, country);
        if (found.size === 0) continue;
        const erase = (one: ImportLine): ImportLine =>
          found.has(one.line) ? { line: one.line, phone: '', isErased: true } : one;
        await portions
          .of(companyId)
          .changeIfExists(portion.id, (current) => decided({ ...current, lines: current.lines.map(erase) }));
        lines.push(...Array.from(found, (line) => ({ importId: portion.importId, line })));
      }
      return { lines, next: page.length < limit ? undefined : page.at(-1)?.id };
    },
    /** The first ones of finished portions, in the order of the file. */
    async refusedLines(companyId: string, importId: string, limit: number): Promise<RefusedLine[]> {
      const refused: RefusedLine[] = [];
      for await (const { result } of portions.of(companyId).find({ importId }, { index: 1 }, PORTIONS_MAX)) {
        refused.push(...(result?.refused ?? []));
        if (refused.length >= limit) break;
        const turn = nextTurnIfDue();
        if (turn) await turn;
      }
      return refused.slice(0, limit);
    },
    async removePortions(companyId: string, importId: string): Promise<void> {
      await portions.bulk.removeAll({ companyId, importId });
    },
    startExpiries(): { stop(): Promise<void> } {
      const { backgroundWork, telemetry } = relay;
      const common = { everyMs: EXPIRY_EVERY_MS, backgroundWork, log: telemetry.log };
      const expired = () => ({ expiresAt: { $lte: clock.now() } });
      const sweeps = [imports.startExpiry({ ...common, expired }), portions.startExpiry({ ...common, expired })];
      return { stop: async () => void (await Promise.all(sweeps.map((sweep) => sweep.stop()))) };
    },
  };
}

import { elfHash, type ElfSection, elfSections, SECTION_TYPE } from './elf.ts';

/** The newest glibc version the engine was linked against; older systems need `lowerGlibc`. */
export const ENGINE_GLIBC = 'GLIBC_2.38';

const C23_PREFIX = '__isoc23_';
const SYMBOL_BYTES = 24;

/** 'GLIBC_2.3.4' or '2.36' as one number that sorts by age. */
export function glibcAge(version: string): number {
  const parts = version.replace('GLIBC_', '').split('.');
  return parts.reduce((age, part, i) => age + Number(part) / 1000 ** i, 0);
}

/**
 * Rebinds, in place, every symbol that needs GLIBC_2.38 to its older twin and returns their names.
 *
 * The engine needs 2.38 for seven names only (decision 73): the C23 spellings of strtol and its family, of sscanf and fscanf,
 * and a newer fmod. Each has an older twin in the same library, so a few bytes of the symbol tables are enough.
 */
export function lowerGlibc(elf: Buffer): string[] {
  const sections = elfSections(elf);
  const [symbols, needs, versions] = [
    sectionOf(sections, SECTION_TYPE.dynamicSymbols),
    sectionOf(sections, SECTION_TYPE.versionNeeds),
    sectionOf(sections, SECTION_TYPE.symbolVersions),
  ];
  const stringsAt = sections[symbols.link]!.offset;
  const text = (at: number) => elf.toString('latin1', stringsAt + at, elf.indexOf(0, stringsAt + at));

  const scanfVersions = lowerVersionNeeds(elf, needs, text);
  const rebound: string[] = [];
  for (let i = 0; i < symbols.size / SYMBOL_BYTES; i++) {
    const symbolAt = symbols.offset + SYMBOL_BYTES * i;
    const versionAt = versions.offset + 2 * i;
    const scanfVersion = scanfVersions.get(elf.readUInt16LE(versionAt));
    if (scanfVersion === undefined) continue;
    const nameAt = elf.readUInt32LE(symbolAt);
    const name = text(nameAt);
    rebound.push(name);
    if (!name.startsWith(C23_PREFIX)) continue;
    if (name.endsWith('scanf')) {
      // The true twin is the C99 one; plain sscanf reads `%a` in the GNU way.
      elf.write('99', stringsAt + nameAt + '__isoc'.length, 'latin1');
      elf.writeUInt16LE(scanfVersion, versionAt);
    } else {
      // `__isoc23_strtol` ends with `strtol`: let the name start later.
      elf.writeUInt32LE(nameAt + C23_PREFIX.length, symbolAt);
    }
  }
  return rebound;
}

/**
 * In each library's list of needed versions, makes the GLIBC_2.38 entry a second entry of the oldest version.
 * Returns, for the index of each rewritten entry, the index of GLIBC_2.7, which has the C99 scanf family.
 */
function lowerVersionNeeds(elf: Buffer, needs: ElfSection, text: (at: number) => string): Map<number, number> {
  const scanfVersions = new Map<number, number>();
  let needAt = needs.offset;
  for (let i = 0; i < needs.info; i++) {
    const entries = versionEntries(elf, needAt, text);
    const tooNew = entries.find((entry) => entry.name === ENGINE_GLIBC);
    const [oldest] = entries
      .filter((entry) => /^GLIBC_\d/.test(entry.name))
      .toSorted((a, b) => glibcAge(a.name) - glibcAge(b.name));
    if (tooNew && oldest) {
      elf.writeUInt32LE(elfHash(oldest.name), tooNew.at);
      elf.writeUInt32LE(oldest.nameAt, tooNew.at + 8);
      const c99 = entries.find((entry) => entry.name === 'GLIBC_2.7');
      scanfVersions.set(tooNew.index, (c99 ?? tooNew).index);
    }
    needAt += elf.readUInt32LE(needAt + 12);
  }
  return scanfVersions;
}

/** The `Vernaux` entries of one needed library. */
function versionEntries(elf: Buffer, needAt: number, text: (at: number) => string) {
  let at = needAt + elf.readUInt32LE(needAt + 8);
  return Array.from({ length: elf.readUInt16LE(needAt + 2) }, () => {
    const nameAt = elf.readUInt32LE(at + 8);
    const entry = { at, index: elf.readUInt16LE(at + 6), nameAt, name: text(nameAt) };
    at += elf.readUInt32LE(at + 12);
    return entry;
  });
}

function sectionOf(sections: ElfSection[], type: number): ElfSection {
  const section = sections.find((candidate) => candidate.type === type);
  if (!section) throw new Error(`the ELF file has no section of type 0x${type.toString(16)}`);
  return section;
}

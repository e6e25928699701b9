/** A section of a 64-bit ELF file, as far as symbol versions need it. */
export interface ElfSection {
  readonly type: number;
  readonly offset: number;
  readonly size: number;
  /** Index of the section this one refers to: the string table of a symbol table. */
  readonly link: number;
  /** The number of libraries that a version-needs section lists. */
  readonly info: number;
}

/** The section types of the generic ABI and of GNU symbol versioning. */
export const SECTION_TYPE = { dynamicSymbols: 11, versionNeeds: 0x6ffffffe, symbolVersions: 0x6fffffff } as const;

/** The section headers of a 64-bit little-endian ELF file; throws for anything else. */
export function elfSections(elf: Buffer): ElfSection[] {
  const isElf = elf.length >= 64 && elf.readUInt32BE(0) === 0x7f454c46;
  if (!isElf || elf[4] !== 2 || elf[5] !== 1) throw new Error('not a 64-bit little-endian ELF file');
  const tableAt = Number(elf.readBigUInt64LE(40));
  const headerBytes = elf.readUInt16LE(58);
  return Array.from({ length: elf.readUInt16LE(60) }, (_, i) => {
    const at = tableAt + i * headerBytes;
    return {
      type: elf.readUInt32LE(at + 4),
      offset: Number(elf.readBigUInt64LE(at + 24)),
      size: Number(elf.readBigUInt64LE(at + 32)),
      link: elf.readUInt32LE(at + 40),
      info: elf.readUInt32LE(at + 44),
    };
  });
}

/** The System V hash by which the loader compares the names of symbol versions. */
export function elfHash(name: string): number {
  let hash = 0;
  for (const byte of Buffer.from(name, 'latin1')) {
    hash = ((hash << 4) + byte) >>> 0;
    const high = hash & 0xf0000000;
    hash = (hash ^ (high >>> 24)) & ~high;
  }
  return hash >>> 0;
}

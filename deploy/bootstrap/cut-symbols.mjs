import { closeSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';

/** The fields of an ELF header for 64 bits, little-endian, by their offsets. */
const HEADER_SIZE = 64;
const SEGMENTS_OFFSET = 32;
const SECTIONS_OFFSET = 40;
const SEGMENT_SIZE = 54;
const SEGMENT_COUNT = 56;
const SECTION_COUNT = 60;

/** Of a segment: where it begins in the file, and how long it is there. */
const OFFSET_IN_FILE = 8;
const SIZE_IN_FILE = 32;

/**
 * Cuts off what follows the last segment of a Linux program: symbols and debugging information, which are not loaded to run it.
 * The names that exceptions and profilers of Node.js show are elsewhere, in its dynamic symbols and in scripts.
 */
export function cutSymbols(file) {
  const program = openSync(file, 'r+');
  try {
    const header = read(program, 0, HEADER_SIZE);
    const size = header.readUInt16LE(SEGMENT_SIZE);
    const table = read(
      program,
      Number(header.readBigUInt64LE(SEGMENTS_OFFSET)),
      size * header.readUInt16LE(SEGMENT_COUNT),
    );
    let end = HEADER_SIZE;
    for (let at = 0; at < table.length; at += size) {
      const behind = table.readBigUInt64LE(at + OFFSET_IN_FILE) + table.readBigUInt64LE(at + SIZE_IN_FILE);
      end = Math.max(end, Number(behind));
    }
    // The table of sections is behind the segments as well: the header says that there is none.
    header.writeBigUInt64LE(0n, SECTIONS_OFFSET);
    header.writeUInt32LE(0, SECTION_COUNT);
    writeSync(program, header, 0, HEADER_SIZE, 0);
    ftruncateSync(program, end);
  } finally {
    closeSync(program);
  }
}

function read(program, from, length) {
  const bytes = Buffer.alloc(length);
  readSync(program, bytes, 0, length, from);
  return bytes;
}

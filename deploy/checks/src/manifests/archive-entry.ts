import { gunzipSync, inflateRawSync } from 'node:zlib';

/** One file of a .tgz, such as npm makes (ustar, names up to 100 characters). */
export function tarGzEntry(archive: Buffer, name: string): Buffer {
  const tar = gunzipSync(archive);
  for (let at = 0; at + 512 <= tar.length;) {
    const entryName = tar.toString('utf8', at, tar.indexOf(0, at));
    const size = Number.parseInt(tar.toString('latin1', at + 124, at + 135), 8) || 0;
    if (entryName === name) return tar.subarray(at + 512, at + 512 + size);
    at += 512 + Math.ceil(size / 512) * 512;
  }
  throw new Error(`no ${name} in the archive`);
}

/** One file of a .zip, found by the directory at its end (APPNOTE 4.3.12); no zip64, no encryption. */
export function zipEntry(archive: Buffer, name: string): Buffer {
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06'));
  if (end < 0) throw new Error('not a zip archive');
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) => archive.readUInt16LE(at + field)) as [
      number,
      number,
      number,
    ];
    if (archive.toString('utf8', at + 46, at + 46 + nameLength) === name) return content(archive, at);
    at += 46 + nameLength + extraLength + commentLength;
  }
  throw new Error(`no ${name} in the archive`);
}

function content(archive: Buffer, directoryEntry: number): Buffer {
  const method = archive.readUInt16LE(directoryEntry + 10);
  const compressedSize = archive.readUInt32LE(directoryEntry + 20);
  const header = archive.readUInt32LE(directoryEntry + 42);
  // The name and extra lengths of the local header count: its extra field may differ from the directory's.
  const start = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
  const bytes = archive.subarray(start, start + compressedSize);
  if (method === 0) return bytes;
  if (method === 8) return inflateRawSync(bytes);
  throw new Error(`zip compression method ${method} is not known here`);
}

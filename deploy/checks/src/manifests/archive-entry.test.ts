import { deflateRawSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { tarGzEntry, zipEntry } from './archive-entry.ts';

function tarFile(name: string, content: string): Buffer {
  const header = Buffer.alloc(512);
  header.write(name);
  header.write(content.length.toString(8).padStart(11, '0'), 124);
  return Buffer.concat([header, Buffer.from(content), Buffer.alloc((512 - (content.length % 512)) % 512)]);
}

/** `extra` bytes only in the local header, as the zip program writes them. */
function zip(files: [name: string, content: string, method: 0 | 8][], extra = 0): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  for (const [name, content, method] of files) {
    const bytes = method === 8 ? deflateRawSync(content) : Buffer.from(content);
    const local = Buffer.alloc(30 + name.length + extra);
    local.writeUInt16LE(name.length, 26);
    local.writeUInt16LE(extra, 28);
    local.write(name, 30);
    const entry = Buffer.alloc(46 + name.length);
    entry.writeUInt16LE(method, 10);
    entry.writeUInt32LE(bytes.length, 20);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(Buffer.concat(locals).length, 42);
    entry.write(name, 46);
    locals.push(local, bytes);
    directory.push(entry);
  }
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06');
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(Buffer.concat(locals).length, 16);
  return Buffer.concat([...locals, ...directory, end]);
}

describe('one file of an archive', () => {
  it('one file of an archive is found behind others in a tarball', () => {
    const archive = gzipSync(
      Buffer.concat([tarFile('package/a', 'x'.repeat(700)), tarFile('package/b', 'hello'), Buffer.alloc(1024)]),
    );
    expect(tarGzEntry(archive, 'package/b').toString()).toBe('hello');
    expect(() => tarGzEntry(archive, 'package/c')).toThrow('no package/c');
  });

  it('one file of an archive is found in a zip archive, stored or deflated', () => {
    const archive = zip(
      [
        ['a', 'first', 0],
        ['helm/helm', 'second'.repeat(100), 8],
      ],
      9,
    );
    expect(zipEntry(archive, 'a').toString()).toBe('first');
    expect(zipEntry(archive, 'helm/helm').toString()).toBe('second'.repeat(100));
    expect(() => zipEntry(archive, 'b')).toThrow('no b');
    expect(() => zipEntry(Buffer.from('nothing'), 'a')).toThrow('not a zip archive');
  });
});

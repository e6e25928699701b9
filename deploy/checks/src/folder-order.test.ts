import { describe, expect, it } from '@jest/globals';
import { circlesOfFirstLevel } from './folder-order.ts';

const importing = (source: string, ...resolved: string[]) => ({
  source: `services/a/src/${source}`,
  dependencies: resolved.map((path) => ({ resolved: `services/a/src/${path}` })),
});

describe('the order of first-level folders', () => {
  it('a circle is found through subfolders and several folders, and other imports are not listed', () => {
    const modules = [
      importing('calls/rpc/list.ts', 'search/index.ts', 'calls/model/call.ts'),
      importing('search/index.ts', 'notes/note.ts'),
      importing('notes/note.ts', 'calls/model/call.ts', 'clients/company.ts'),
      importing('calls/model/call.ts'),
      importing('clients/company.ts'),
      importing('start.ts', 'calls/rpc/list.ts'),
    ];
    expect(circlesOfFirstLevel(modules)).toEqual([
      'circle of folders: services/a/src/calls/rpc/list.ts → services/a/src/search/index.ts',
      'circle of folders: services/a/src/search/index.ts → services/a/src/notes/note.ts',
      'circle of folders: services/a/src/notes/note.ts → services/a/src/calls/model/call.ts',
    ]);
  });

  it('folders with an order have no circle', () => {
    const modules = [
      importing('call-rpcs/list.ts', 'search/index.ts', 'calls/call.ts'),
      importing('search/index.ts', 'calls/call.ts'),
      importing('calls/call.ts', 'calls/timeline.ts'),
    ];
    expect(circlesOfFirstLevel(modules)).toEqual([]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { requestTargetProblems } from './request-targets.ts';

const FILE = 'services/gateway/src/live/cable-server.ts';

describe('the check of request targets', () => {
  it.each([
    "const { pathname } = new URL(request.url ?? '/', 'http://localhost');",
    'new URL(\n  `http://x${req.url}`,\n)',
    'new URL(request.headers.referer)',
    "server.on('upgrade', onUpgrade)",
    "server.on(\n  'upgrade', onUpgrade)",
    "import { type IncomingMessage, createServer } from 'node:http';",
  ])('the check of request targets finds %j', (text) => {
    expect(requestTargetProblems(FILE, `// a line\n${text}`)).toEqual([expect.stringMatching(/cable-server\.ts:2: /)]);
  });

  it.each([
    'new URL(config.PUBLIC_URL); const { url } = request;',
    "new URL('/switch/directory', url)",
    "http.serveUpgrades('/cable', onUpgrade)",
    "import { createServer } from 'node:net';",
    "import type { IncomingMessage } from 'node:http';",
  ])('the check of request targets does not find %j', (text) => {
    expect(requestTargetProblems(FILE, text)).toEqual([]);
  });

  it('the check of request targets leaves out tests and the listener itself', () => {
    const text = "server.on('upgrade', f)";
    for (const file of ['libs/http/src/server/raw-requests.ts', 'services/a/src/b.test.ts', 'services/a/test/b.ts'])
      expect(requestTargetProblems(file, text)).toEqual([]);
  });
});

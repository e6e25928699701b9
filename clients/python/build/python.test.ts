import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MODELS_FILE, pythonModels } from '../generator/index.ts';
import { buildWheel, client, pythonEnvironment, runPython } from './environment.ts';

const root = path.resolve(client, '../..');
const environment = await pythonEnvironment();
if ('unavailable' in environment)
  process.stderr.write(`left out: the tests of the Python client: ${environment.unavailable}\n`);
const python = 'python' in environment ? environment.python : '';
const caches = path.join(root, 'node_modules/.cache/parley');

const PROGRAM = `
from parley import NotFoundError, Parley, models, sign_webhook, verify_webhook


def names(client: Parley) -> list[str]:
    found: list[str] = []
    for call in client.calls.list(direction="inbound", started_after="2026-11-01T00:00:00Z"):
        if call.state == "parked" or call.from_ == "+4520304050":
            found.append(call.id)
    return found


def rename(client: Parley, contact: models.Contact) -> str | None:
    try:
        return client.contacts.update(contact.id, name="Ane", note=None).name
    except NotFoundError as error:
        return error.code


BODY = '{"event": "contact.created", "timestamp": "", "data": {"contact": {"name": "Ane"}}}'
event = verify_webhook(BODY, sign_webhook(BODY, "whsec_c2VjcmV0"), "whsec_c2VjcmV0")
if isinstance(event, models.ContactCreatedEvent):
    name: str | None = event.data.contact.name
    print(event.event, name)
`;

(python === '' ? describe.skip : describe)('the Python client', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'parley-python-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('the Python client has the models that its generator writes', async () => {
    const document = JSON.parse(await readFile(path.join(root, 'services/gateway/openapi.json'), 'utf8')) as object;
    const text = await readFile(path.join(root, MODELS_FILE), 'utf8');
    expect(await pythonModels(document)).toEqual({ file: MODELS_FILE, text });
  });

  it('the Python client passes its own tests', async () => {
    const options = ['--ignore=tests/stack', '-p', 'no:cacheprovider'];
    expect(await runPython(python, ['-m', 'pytest', ...options])).toMatch(/\d+ passed/);
  });

  it('the Python client passes the strict checks of its types', async () => {
    const checked = await runPython(python, ['-m', 'mypy', '--cache-dir', path.join(caches, 'mypy')]);
    expect(checked).toContain('no issues found');
  });

  it('the Python client is formatted', async () => {
    await runPython(python, ['-m', 'black', '--quiet', '--check', 'src', 'tests', 'generator']);
  });

  it('the Python client is a wheel that a strict program in an empty folder can use', async () => {
    const wheel = await buildWheel(python, folder);
    const [installed, program] = [path.join(folder, 'installed'), path.join(folder, 'program')];
    const pip = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--no-index', '--disable-pip-version-check'];
    await runPython(python, [...pip, '--target', installed, wheel]);
    await mkdir(program);
    await writeFile(path.join(program, 'program.py'), PROGRAM);
    const settings = { cwd: program, env: { PYTHONPATH: installed, MYPYPATH: installed } };
    expect((await runPython(python, ['program.py'], settings)).trim()).toBe('contact.created Ane');
    const mypy = ['-m', 'mypy', '--strict', '--cache-dir', path.join(caches, 'mypy-program'), 'program.py'];
    expect(await runPython(python, mypy, settings)).toContain('no issues found');
    const metadata = path.join(installed, 'parley_sdk-0.3.0.dist-info');
    expect(await readFile(path.join(metadata, 'licenses/LICENSE'), 'utf8')).toBe(
      await readFile(path.join(root, 'LICENSE'), 'utf8'),
    );
    expect(await readFile(path.join(metadata, 'METADATA'), 'utf8')).toContain('Requires-Dist: httpx2');
  });

  it('the Python client is imported without the libraries that it needs for requests only', async () => {
    const program =
      'import sys, parley, parley.webhooks, parley.errors; ' +
      'from parley import Parley, ParleyError, verify_webhook; ' +
      'print([n for n in ("httpx2", "pydantic", "websockets", "parley.models") if n in sys.modules])';
    expect((await runPython(python, ['-c', program], { env: { PYTHONPATH: 'src' } })).trim()).toBe('[]');
    // Processor time of the import alone: the machine may be busy.
    const timed = 'import time; t = time.process_time(); import parley; print(time.process_time() - t)';
    const times = await Promise.all(
      [1, 2, 3].map(async () => Number(await runPython(python, ['-c', timed], { env: { PYTHONPATH: 'src' } }))),
    );
    expect(Math.min(...times)).toBeLessThan(0.3);
  });

  it('the Python client has the version of the repository', async () => {
    const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as { version: string };
    expect(await readFile(path.join(client, 'src/parley/_version.py'), 'utf8')).toContain(`VERSION = "${version}"`);
    expect(await readFile(path.join(client, 'pyproject.toml'), 'utf8')).toContain(`version = "${version}"`);
  });
});

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import path from 'node:path';

/** The embedding model of the service speech, in a process of its own. */
export interface TestEmbedder {
  embed(texts: readonly string[]): Promise<Float32Array[]>;
  stop(): void;
}

const SPEECH = path.join(import.meta.dirname, '../../speech/src');
const BATCH = 16;

type Result = { id: number; result: Float32Array[] } | { id: number; problem: string };

/** `folder`: where models are kept; what is missing is fetched once. */
export async function startEmbedder(folder: string): Promise<TestEmbedder> {
  const folders = (await modelFolders(folder)) ?? (await fetchModels(folder));
  const child = fork(path.join(SPEECH, 'embeddings/minilm-main.ts'), folders, { serialization: 'advanced' });
  const ending = ended(child);
  // Also of a process that is stopped while nothing waits for it.
  ending.catch(() => undefined);
  let id = 0;
  let last: Promise<unknown> = Promise.resolve();
  /** One job at a time: the next message is its result. */
  function run(job: readonly string[]): Promise<Float32Array[]> {
    const result = last.then(() => request(job));
    last = result.catch(() => undefined);
    return result;
  }
  async function request(job: readonly string[]): Promise<Float32Array[]> {
    id += 1;
    const answer = once(child, 'message');
    child.send({ id, job });
    const [result] = (await Promise.race([answer, ending])) as [Result];
    if ('problem' in result) throw new Error(result.problem);
    return result.result;
  }
  return {
    async embed(texts) {
      const vectors: Float32Array[] = [];
      for (let start = 0; start < texts.length; start += BATCH)
        vectors.push(...(await run(texts.slice(start, start + BATCH))));
      return vectors;
    },
    stop: () => void child.kill(),
  };
}

async function ended(child: ChildProcess): Promise<never> {
  const [code] = (await once(child, 'exit')) as [number | null];
  throw new Error(`the embedding model ended with ${code}`);
}

async function modelFolders(folder: string): Promise<string[] | undefined> {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return undefined;
  }
  const found = ['onnxruntime-', 'minilm-'].map((start) => names.find((name) => name.startsWith(start)));
  return found.every((name) => name !== undefined) ? found.map((name) => path.join(folder, name)) : undefined;
}

async function fetchModels(folder: string): Promise<string[]> {
  const program = fork(path.join(SPEECH, 'assets/fetch-assets-main.ts'), [folder], { stdio: 'inherit' });
  await once(program, 'exit');
  const folders = await modelFolders(folder);
  if (!folders) throw new Error(`there is no embedding model in ${folder}`);
  return folders;
}

import type { IncomingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';
import { matches } from './bounded-match.ts';
import { type ModelPrompt, type ModelScript, type ModelTurn, nextTurn, scriptStart } from './model-script.ts';

/** A request that a scripted model got. */
export interface ModelRequest {
  readonly receivedAt: Date;
  readonly headers: IncomingHttpHeaders;
  /** Empty where the body names none. */
  readonly model: string;
  readonly rawBody: string;
  /** Null until an answer has begun. */
  status: number | null;
  /** The end of the answer, or of waiting for it; null until then. */
  endedAt: Date | null;
}

/** Scripts use memory by their length; those that were not used for longest are forgotten. */
const SCRIPTS_LENGTH_MAX = 64 * 1024 * 1024;
/** The latest requests are kept, up to this many and this much text. */
const REQUESTS_MAX = 10_000;
const REQUESTS_LENGTH_MAX = 64 * 1024 * 1024;

/** Scripted models by their names, and what they were asked, in memory. */
export type ScriptedModels = ReturnType<typeof createScriptedModels>;

export function createScriptedModels() {
  const scripts = new LRUCache<string, { script: ModelScript; progress: typeof scriptStart }>({
    maxSize: SCRIPTS_LENGTH_MAX,
    sizeCalculation: ({ script }) => JSON.stringify(script).length,
  });
  let requests: ModelRequest[] = [];
  let requestsLength = 0;
  return {
    /** Begins a script; what the model was asked stays. */
    setScript: (model: string, script: ModelScript) => void scripts.set(model, { script, progress: scriptStart }),
    /** Stores a request; the caller sets its status and its end. */
    record(request: Omit<ModelRequest, 'status' | 'endedAt'>): ModelRequest {
      const stored: ModelRequest = { ...request, status: null, endedAt: null };
      requests.push(stored);
      requestsLength += stored.rawBody.length;
      while (requests.length > REQUESTS_MAX || requestsLength > REQUESTS_LENGTH_MAX)
        requestsLength -= requests.shift()!.rawBody.length;
      return stored;
    },
    /** The next turn of a model's script, chosen when the request arrives. */
    next(model: string, prompt: ModelPrompt): { known: boolean; turn: ModelTurn | undefined } {
      const entry = scripts.get(model);
      if (!entry) return { known: false, turn: undefined };
      const { turn, progress } = nextTurn(entry.script, entry.progress, prompt, matches);
      entry.progress = progress;
      return { known: true, turn };
    },
    /** In order of arrival; of one model or of all. */
    requests: (model?: string) => requests.filter((request) => model === undefined || request.model === model),
    /** Forgets scripts and requests. A request in progress still gets its answer. */
    clear(): void {
      scripts.clear();
      requests = [];
      requestsLength = 0;
    },
  };
}

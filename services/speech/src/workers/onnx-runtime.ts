import { createRequire } from 'node:module';
import path from 'node:path';

/** The used part of onnxruntime-node: it is downloaded as an asset, so its own types are not available. */
export interface OnnxRuntime {
  readonly InferenceSession: {
    create(model: string, options: SessionOptions): Promise<OnnxSession>;
  };
  readonly Tensor: new (
    type: 'int64' | 'float32' | 'bool',
    data: BigInt64Array | Float32Array | readonly boolean[],
    dims: readonly number[],
  ) => OnnxTensor;
}

export interface OnnxTensor {
  readonly data: Float32Array;
  readonly dims: readonly number[];
}

interface SessionOptions {
  readonly intraOpNumThreads: number;
  readonly interOpNumThreads: number;
  readonly logSeverityLevel: 3;
  /** Further settings of the runtime, by their groups. */
  readonly extra?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface OnnxSession {
  /** `outputs`: the names of those that are wanted; all of them when absent. */
  run(feeds: Record<string, OnnxTensor>, outputs?: readonly string[]): Promise<Record<string, OnnxTensor>>;
}

/** Loads the runtime from its asset's folder. Native code: only in child processes. */
export function loadOnnxRuntime(folder: string): OnnxRuntime {
  return createRequire(path.join(folder, 'package.json'))('./dist/index.js') as OnnxRuntime;
}

/** One thread, so that other processors stay free for calls; only errors are logged. */
export const sessionOptions: SessionOptions = { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 3 };

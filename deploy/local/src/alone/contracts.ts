import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { DescService } from '@bufbuild/protobuf';

/** Every service with gRPC serves its dead letters too. */
const SERVED_BY_ALL = 'operations';

/** The contracts that a service serves: those of its package in `proto/`. None for a service without gRPC. */
export async function contractsOf(service: string): Promise<DescService[]> {
  const own = await contractsIn(service.replaceAll('-', '_'));
  return own.length === 0 ? [] : [...own, ...(await contractsIn(SERVED_BY_ALL))];
}

async function contractsIn(protoPackage: string): Promise<DescService[]> {
  const envelope = fileURLToPath(import.meta.resolve('@parley/proto/events/v1/envelope_pb'));
  const folder = path.resolve(path.dirname(envelope), '../..', protoPackage, 'v1');
  const files = (await readdir(folder).catch(() => [])).filter((file) => file.endsWith('_pb.js')).toSorted();
  const modules = await Promise.all(files.map((file) => import(pathToFileURL(path.join(folder, file)).href)));
  return modules.flatMap((module: object) => Object.values(module).filter(isService));
}

function isService(value: unknown): value is DescService {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'service';
}

import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { stringify } from 'yaml';
import { type RunningProgram, runProgram } from './run-program.ts';

const RULES = path.resolve(import.meta.dirname, '../../../../helm/parley/files/rules');

export interface PrometheusOptions {
  readonly file: string;
  readonly dataDir: string;
  readonly port: number;
  /** Addresses of metrics by the name of the process: `gateway`, or `gateway@2` of a replica. */
  readonly services: Readonly<Record<string, string>>;
  /** A collector that exports metrics of its own, such as those of spans. */
  readonly collector?: string;
  readonly intervalSecs: number;
}

export interface Prometheus extends RunningProgram {
  readonly url: string;
}

/** A Prometheus with our rules that reads the services of a local stack. */
export async function startPrometheus(options: PrometheusOptions): Promise<Prometheus> {
  const { file, dataDir, port } = options;
  await mkdir(dataDir, { recursive: true });
  const configFile = path.join(dataDir, 'prometheus.yaml');
  await writeFile(configFile, stringify(prometheusConfig(options)));
  const url = `http://127.0.0.1:${port}`;
  const program = await runProgram({
    file,
    args: [
      `--config.file=${configFile}`,
      `--storage.tsdb.path=${path.join(dataDir, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--enable-feature=exemplar-storage',
    ],
    logFile: path.join(dataDir, 'prometheus.log'),
    readyUrl: `${url}/-/ready`,
  });
  return { url, ...program };
}

/** `job` is what a collector makes of namespace and name of a service, so that dashboards and alerts are the same for both. */
export function prometheusConfig({
  services,
  collector,
  intervalSecs,
}: Omit<PrometheusOptions, 'file' | 'dataDir' | 'port'>) {
  const byService = Object.groupBy(Object.entries(services), ([name]) => name.split('@')[0]!);
  return {
    global: { scrape_interval: `${intervalSecs}s`, evaluation_interval: `${intervalSecs}s` },
    rule_files: [path.join(RULES, '*.yaml')],
    scrape_configs: [
      ...Object.entries(byService).map(([service, processes = []]) => ({
        job_name: `parley/${service}`,
        static_configs: [{ targets: processes.map(([, address]) => address) }],
      })),
      ...(collector ? [{ job_name: 'collector', honor_labels: true, static_configs: [{ targets: [collector] }] }] : []),
    ],
  };
}

import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { findProgram } from './find-program.ts';
import { prometheusConfig } from './prometheus.ts';

describe('the local Prometheus', () => {
  it('the local Prometheus reads replicas of a service under one job, and a collector with the jobs it names', () => {
    const services = { gateway: '127.0.0.1:1', 'gateway@2': '127.0.0.1:2', speech: '127.0.0.1:3' };
    const config = prometheusConfig({ services, collector: '127.0.0.1:8889', intervalSecs: 5 });
    expect(config.scrape_configs).toEqual([
      { job_name: 'parley/gateway', static_configs: [{ targets: ['127.0.0.1:1', '127.0.0.1:2'] }] },
      { job_name: 'parley/speech', static_configs: [{ targets: ['127.0.0.1:3'] }] },
      { job_name: 'collector', honor_labels: true, static_configs: [{ targets: ['127.0.0.1:8889'] }] },
    ]);
  });
});

describe('a program', () => {
  it('a program is looked for on PATH, and has to be executable', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'parley-path-'));
    try {
      const file = path.join(folder, 'otelcol-contrib');
      await writeFile(file, '#!/bin/sh\n');
      const searched = `/nowhere${path.delimiter}${folder}`;
      expect(findProgram('otelcol-contrib', searched)).toBeUndefined();
      await chmod(file, 0o755);
      expect(findProgram('otelcol-contrib', searched)).toBe(file);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

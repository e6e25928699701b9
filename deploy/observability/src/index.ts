export { dashboards } from './dashboards/dashboards.ts';
export { observabilityFiles } from './generated-files.ts';
export { findProgram } from './local/find-program.ts';
export { startPrometheus } from './local/prometheus.ts';

import type { Format } from '../arguments.ts';
import { jsonReporter } from './json-reporter.ts';
import { junitReporter } from './junit-reporter.ts';
import type { Reporter } from './report.ts';
import { textReporter } from './text-reporter.ts';

export const reporters: Readonly<Record<Format, Reporter>> = {
  text: textReporter,
  json: jsonReporter,
  junit: junitReporter,
};

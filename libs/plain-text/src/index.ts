export { plainLine } from './plain-line.ts';

export { main } from './main.ts';
export type { Output } from './output.ts';

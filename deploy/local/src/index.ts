export type { Demo } from './seed-demo.ts';
export { type Stack, type StackOptions, startStack } from './stack.ts';

export { type Due, dueIn } from '@parley/errors';

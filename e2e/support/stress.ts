/** What `npm test` does, or the long form of it that `npm run stress` asks for. */
export function underStress<T>(usual: T, long: T): T {
  return process.env['PARLEY_STRESS'] === 'on' ? long : usual;
}

/** The size in `npm test`, or the larger one in `npm run stress`. */
export function underStress<T>(usual: T, long: T): T {
  return process.env['PARLEY_STRESS'] === 'on' ? long : usual;
}

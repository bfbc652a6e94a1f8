export function count(from: number): number {
  return from + 1;
}

export function broken( {

import a, { b } from './a';
export * from '../c.js';
const d = require('e/f');
import(`./g`);
/// <reference path="h.ts" />
function f(x) { return x?.y`z${1}` / 2; }

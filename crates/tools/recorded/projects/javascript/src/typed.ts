import { count } from "./other";

export const text: string = count(1);

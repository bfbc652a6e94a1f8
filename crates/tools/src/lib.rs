//! Tools as data: how a tool that reports results on the files of a project is called, and how its output is read.

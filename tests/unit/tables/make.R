# Writes the tables of this folder, as R does: Rscript make.R
iris <- iris[c(1:4, 51:54, 101:104), ]
write.csv(iris, "write.csv", row.names = FALSE)
write.csv2(iris, "write.csv2", row.names = FALSE)
write.table(iris, "write.table")
write.table(iris, "write.table.tab", sep = "\t")
write.table(iris, "write.table.comma", sep = ",", quote = FALSE)
write.table(iris, "write.table.dec", dec = ",")
texts <- data.frame(x = 1:4, text = c('say "hi"', "two\nlines", 'say "hi"', "two\nlines"), y = c("a", "b"))
write.table(texts, "texts.table")
write.csv(texts, "texts.csv", row.names = FALSE)

import java.util.Random;
import org.ejml.data.SingularMatrixException;
import org.ejml.simple.SimpleEVD;
import org.ejml.simple.SimpleMatrix;
import org.ejml.simple.SimpleSVD;

/** Multiplies, solves and decomposes matrices. */
public class Workload {
    public static void main(String[] args) {
        int scale = Integer.parseInt(args[0]);
        long checksum = 0;
        Random random = new Random(17);
        for (int round = 0; round < scale; round++) {
            SimpleMatrix a = SimpleMatrix.random_DDRM(24, 24, -1, 1, random);
            SimpleMatrix b = SimpleMatrix.random_DDRM(24, 6, -1, 1, random);
            SimpleMatrix x = a.plus(SimpleMatrix.identity(24).scale(5)).solve(b);
            checksum = checksum * 31 + rounded(a.mult(x).minus(b).normF());
            SimpleMatrix symmetric = a.mult(a.transpose());
            SimpleEVD<SimpleMatrix> eigen = symmetric.eig();
            for (int i = 0; i < eigen.getNumberOfEigenvalues(); i++) {
                checksum += rounded(eigen.getEigenvalue(i).getReal());
            }
            SimpleSVD<SimpleMatrix> svd = b.svd();
            checksum = checksum * 31 + rounded(svd.getW().elementSum()) + svd.rank();
            checksum = checksum * 31 + rounded(a.determinant()) + rounded(a.kron(b.rows(0, 2)).trace());
            checksum = checksum * 31 + rounded(a.pseudoInverse().elementMaxAbs());
        }
        System.out.println("checksum " + checksum);
        try {
            new SimpleMatrix(3, 3).invert();
        } catch (SingularMatrixException e) {
            System.out.println("expected: " + e.getClass().getSimpleName());
        }
    }

    private static long rounded(double value) {
        return Math.round(value * 1e6);
    }
}
